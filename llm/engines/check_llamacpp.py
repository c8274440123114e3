"""Grammars in llama.cpp: GBNF takes every kernel byte by byte, refuses every mutant, and a random model writes kernels under it.

    JUMAR_CORPUS=build/corpus cargo test -p jumar-llm --test suite corpus
    python llm/engines/check_llamacpp.py build/corpus [--kernels 20] [--serve build/served] [--jumar target/debug/jumar]

Needs the packages llama-cpp-python and gguf, and for --serve what llama-cpp-python[server] brings. The model is made on the spot: one layer of random
numbers, tokens of single bytes, and a leaning to what ends lines and texts, without which random kernels have no end.
"""

import argparse
import ctypes
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gguf
import llama_cpp
import numpy

WIDTH = 32
LEANING = {";": 3.0, ")": 3.0, "}": 3.0, "\n": 2.0}
END = "<|end|>"


def byte_names():
    """The letters by which tokenizers of GPT-2's kind name bytes: those that are seen are themselves."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    names = {byte: chr(byte) for byte in seen}
    names.update({byte: chr(256 + nth) for nth, byte in enumerate(hidden)})
    return [names[byte] for byte in range(256)]


def write_model(path, seed):
    """A model that knows nothing. The first number of every state is the same, so that the first column of the output leans."""
    tokens = [*byte_names(), "le", "let", END]
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - 1) + [gguf.TokenType.CONTROL]
    dice = numpy.random.default_rng(seed)
    matrix = lambda rows, columns, scale: dice.normal(0, scale, (rows, columns)).astype(numpy.float32)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("random")
    writer.add_context_length(32768)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(2)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // 2)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["l e", "le t"])
    writer.add_bos_token_id(len(tokens) - 1)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    states = matrix(len(tokens), WIDTH, 0.3)
    states[:, 0] = 1.0
    output = matrix(len(tokens), WIDTH, 0.1)
    # A state is divided by its mean magnitude, which the first number is some three times.
    output[:, 0] = [LEANING.get(token.replace("Ċ", "\n"), 0.0) / 3 for token in tokens]
    output[-1, 0] = 3.0
    writer.add_tensor("token_embd.weight", states)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, numpy.float32))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", numpy.ones(WIDTH, numpy.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{name}.weight", matrix(WIDTH, WIDTH, 0.02))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Grammar:
    """A grammar as the engine has compiled it, over the tokens of a model."""

    def __init__(self, vocabulary, text):
        start = time.time()
        self.fresh = llama_cpp.llama_sampler_init_grammar(vocabulary, text.encode(), b"root")
        if not self.fresh:
            raise ValueError("llama.cpp refuses the grammar")
        self.seconds = time.time() - start
        self.end = llama_cpp.llama_vocab_eos(vocabulary)
        # Tokens of single bytes come first, in the order of the bytes.
        self.one = (llama_cpp.llama_token_data * 1)()
        self.all = llama_cpp.llama_token_data_array(data=self.one, size=1, selected=-1, sorted=False)

    def allows(self, sampler, token):
        self.one[0].id, self.one[0].logit = token, 0.0
        llama_cpp.llama_sampler_apply(sampler, ctypes.byref(self.all))
        return self.one[0].logit > float("-inf")

    def takes(self, text):
        """How many bytes of a text are taken, and whether it may end there."""
        sampler = llama_cpp.llama_sampler_clone(self.fresh)
        try:
            for at, byte in enumerate(text):
                if not self.allows(sampler, byte):
                    return at, False
                llama_cpp.llama_sampler_accept(sampler, byte)
            return len(text), self.allows(sampler, self.end)
        finally:
            llama_cpp.llama_sampler_free(sampler)


def check_corpus(vocabulary, call):
    wrong = 0
    grammar = Grammar(vocabulary, (call.corpus / "grammar.gbnf").read_text())
    accepted, refused = sorted(call.corpus.glob("accepted/*.rs")), sorted(call.corpus.glob("refused/*.rs"))
    assert accepted and refused, f"no corpus in {call.corpus}"
    start = time.time()
    lost = [(path.name, grammar.takes(path.read_bytes())[0]) for path in accepted if not grammar.takes(path.read_bytes())[1]]
    seconds = time.time() - start
    mutants = random.Random(0).sample(refused, min(call.mutants, len(refused)))
    let = [path.name for path in mutants if grammar.takes(path.read_bytes())[1]]
    wrong += len(lost) + len(let)
    size = sum(path.stat().st_size for path in accepted)
    print(
        f"gbnf: compiled in {grammar.seconds:.2f} s; {len(accepted) - len(lost)} of {len(accepted)} kernels taken, "
        f"{1e6 * seconds / size:.0f} us a byte {lost}; {len(mutants) - len(let)} of {len(mutants)} mutants refused {let}",
        flush=True,
    )
    heads = sorted(call.corpus.glob("heads/*.rs"))
    lost = [
        path.stem for path in heads if not Grammar(vocabulary, path.with_suffix(".gbnf").read_text()).takes(path.read_bytes())[1]
    ]
    print(f"gbnf of a head: {len(heads) - len(lost)} of {len(heads)} answers taken {lost}", flush=True)
    return wrong + len(lost)


def check_kernels(model, call):
    """Kernels of the random model under the grammar: each that ends parses."""
    grammar = llama_cpp.LlamaGrammar.from_string((call.corpus / "grammar.gbnf").read_text())
    ended, read, tokens, start = 0, 0, 0, time.time()
    for seed in range(call.kernels):
        model.reset()
        reply = model.create_completion("k", max_tokens=4000, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, seed=seed, grammar=grammar)
        text, tokens = reply["choices"][0]["text"], tokens + reply["usage"]["completion_tokens"]
        if reply["choices"][0]["finish_reason"] != "stop":
            continue
        ended += 1
        with tempfile.NamedTemporaryFile("w", suffix=".rs") as file:
            file.write(text)
            file.flush()
            said = subprocess.run([call.jumar, "check", "--json", file.name], capture_output=True, text=True)
        assert said.returncode in (0, 1), said.stderr
        is_read = '"J0100"' not in said.stdout
        read += is_read
        if not is_read:
            print(text, said.stdout)
    seconds = time.time() - start
    print(f"{ended} of {call.kernels} kernels end, {read} of them parse; {tokens} tokens, {tokens / max(seconds, 1e-9):.0f} a second", flush=True)
    return ended - read


def serve(path, call):
    """The server of llama-cpp-python, asked by `jumar eval`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--model_alias", "random", "--n_ctx", "16384"]
        + ["--host", "127.0.0.1", "--port", str(port), "--verbose", "False"]
    )
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        asked = ["--server", f"http://127.0.0.1:{port}/v1", "--model", "random", "--api", "llamacpp", "--grammar", "llm"]
        how = ["--tasks", call.tasks, "--samples", "2", "--cases", "small", "--jobs", "1", "--temperature", "1", "--out", str(call.serve)]
        return subprocess.run([call.jumar, "eval", *asked, *how]).returncode
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="what the suite `corpus` has written")
    parser.add_argument("--mutants", type=int, default=10_000, help="so many of the mutants")
    parser.add_argument("--kernels", type=int, default=20, help="so many kernels of the random model, each read by `jumar check`")
    parser.add_argument("--serve", type=Path, help="a folder for what `jumar eval` makes of the model behind a server")
    parser.add_argument("--tasks", default="leaky_relu,/sqrt,/layer_norm", help="the tasks that it asks for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jumar", default="jumar", help="the command")
    call = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.gguf"
        write_model(path, call.seed)
        model = llama_cpp.Llama(model_path=str(path), n_ctx=16384, verbose=False)
        wrong = check_corpus(llama_cpp.llama_model_get_vocab(model._model.model), call)
        wrong += check_kernels(model, call) if call.kernels else 0
        wrong += serve(path, call) if call.serve else 0
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
