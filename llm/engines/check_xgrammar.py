"""Grammars in XGrammar: each is one, takes every kernel byte by byte, refuses every mutant, and lets nothing through that does not parse.

    JUMAR_CORPUS=build/corpus cargo test -p jumar-llm --test suite corpus
    python llm/engines/check_xgrammar.py build/corpus [--walks 200] [--jumar target/debug/jumar]

Needs the packages xgrammar and numpy (`pip install --no-deps xgrammar`, `pip install numpy pydantic apache-tvm-ffi` do without torch and
transformers, of which only the names are used here).
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
import types
from importlib.util import find_spec
from pathlib import Path


def name_what_is_missing():
    """XGrammar names types of torch and transformers when it is imported; matching text uses none."""
    import tvm_ffi  # noqa: F401 - looks for torch itself, and has to find none

    class Nothing:
        pass

    if find_spec("torch") is None:
        torch = types.ModuleType("torch")
        torch.int32, torch.int64, torch.bool = "int32", "int64", "bool"
        torch.Tensor = torch.LongTensor = torch.FloatTensor = Nothing
        torch.tensor = lambda *_, **__: Nothing()
        sys.modules["torch"] = torch
    if find_spec("transformers") is None:
        transformers = types.ModuleType("transformers")
        transformers.PreTrainedTokenizerBase = transformers.PreTrainedTokenizerFast = Nothing
        transformers.LogitsProcessor = Nothing
        sys.modules["transformers"] = transformers


name_what_is_missing()
import numpy  # noqa: E402
import xgrammar  # noqa: E402

# One token a byte, and one that ends a text.
VOCABULARY = [bytes([byte]) for byte in range(256)] + [b"</s>"]
END = 256
MOST_BYTES = 20_000


class Engine:
    def __init__(self):
        info = xgrammar.TokenizerInfo(VOCABULARY, vocab_size=len(VOCABULARY), stop_token_ids=[END])
        self.compiler = xgrammar.GrammarCompiler(info, cache_enabled=False)

    def compiled(self, path):
        read = xgrammar.Grammar.from_lark if path.suffix == ".lark" else xgrammar.Grammar.from_ebnf
        return self.compiler.compile_grammar(read(path.read_text()))


def takes(compiled, text):
    """Whether a text is one of the grammar."""
    matcher = xgrammar.GrammarMatcher(compiled)
    return matcher.accept_string(text) and matcher.accept_token(END)


def walk(compiled, dice):
    """A random text; nothing where it does not end."""
    matcher = xgrammar.GrammarMatcher(compiled)
    mask = numpy.zeros((1, (len(VOCABULARY) + 31) // 32), dtype=numpy.int32)
    text, goal = bytearray(), dice.randrange(100, 1600)
    while len(text) < MOST_BYTES:
        mask.fill(-1)
        matcher.fill_next_token_bitmask(mask)
        bits = numpy.unpackbits(mask.view(numpy.uint8), bitorder="little")
        allowed = [token for token in range(len(VOCABULARY)) if bits[token]]
        if END in allowed:
            return text.decode()
        assert allowed, f"no text goes on behind:\n{text.decode()}"
        # Lines end soon; blocks go on up to a length, and then close.
        begins = not text.rstrip(b" ") or text.rstrip(b" ").endswith(b"\n")
        signs = (b" lifrv" if len(text) < goal else b"}") if begins else (b";)\n" if len(text) < goal else b";)\n{}")
        leaning = [token for token in allowed if token in signs]
        token = dice.choice(leaning if leaning and dice.random() < (0.9 if begins else 0.5) else allowed)
        assert matcher.accept_token(token)
        text.append(token)
    return None


def parses(jumar, text):
    """Whether the front end reads a text; what it finds wrong then has a code of its own."""
    with tempfile.NamedTemporaryFile("w", suffix=".rs") as file:
        file.write(text)
        file.flush()
        said = subprocess.run([jumar, "check", "--json", file.name], capture_output=True, text=True)
    assert said.returncode in (0, 1), said.stderr
    found = [json.loads(line) for line in said.stdout.splitlines()]
    return all(one.get("code") != "J0100" for one in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="what the suite `corpus` has written")
    parser.add_argument("--walks", type=int, default=0, help="random texts, each read by `jumar check`")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jumar", default="jumar", help="the command")
    call = parser.parse_args()
    engine, wrong = Engine(), 0
    accepted, refused = sorted(call.corpus.glob("accepted/*.rs")), sorted(call.corpus.glob("refused/*.rs"))
    assert accepted and refused, f"no corpus in {call.corpus}"
    for kind in ("lark", "gbnf", "ebnf"):
        start = time.time()
        compiled = engine.compiled(call.corpus / f"grammar.{kind}")
        seconds = time.time() - start
        lost = [path.name for path in accepted if not takes(compiled, path.read_bytes())]
        let = [path.name for path in refused if takes(compiled, path.read_bytes())]
        wrong += len(lost) + len(let)
        print(
            f"{kind}: compiled in {seconds:.2f} s; {len(accepted) - len(lost)} of {len(accepted)} kernels taken {lost}; "
            f"{len(refused) - len(let)} of {len(refused)} mutants refused {let}"
        )
        dice, ended, read = random.Random(call.seed), 0, 0
        for _ in range(call.walks):
            text = walk(compiled, dice)
            ended += text is not None
            if text is not None and parses(call.jumar, text):
                read += 1
            elif text is not None:
                print(text)
        wrong += ended - read
        if call.walks:
            print(f"{kind}: {ended} of {call.walks} walks end, {read} of them parse")
    heads = sorted(call.corpus.glob("heads/*.rs"))
    for kind in ("lark", "gbnf", "ebnf"):
        lost = [path.stem for path in heads if not takes(engine.compiled(path.with_suffix(f".{kind}")), path.read_bytes())]
        wrong += len(lost)
        print(f"{kind} of a head: {len(heads) - len(lost)} of {len(heads)} answers taken {lost}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
