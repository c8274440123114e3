"""AscTile's examples, judged by jumar: each kernel that they launch is printed for A2 (Ascend910B1), compiled and run on the CPU
in program order and in random legal orders (`--race`); then the example compares the result with its own reference.

    python runtime/generators/check_asctile.py pyasc/python/test/asctile/operations --jumar target/debug/jumar --out build/asctile

Examples are files or folders of AscTile's tests, in a clone that you make; other words go to pytest (`-k softmax`). Needs the
packages pyasc-dev and pytest, and torch where examples import it; no CANN, no device. Printed kernels stay in the folder of
`--out`. The exit code is 1 where a kernel is not right, 2 where no example was run, else 0.
"""

import argparse
import gc
import hashlib
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict, namedtuple
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("PYASC_COMPILER", "true")  # AscTile looks for CANN's compiler and linker before it prints
os.environ.setdefault("PYASC_LINKER", "true")
import numpy
import pytest
from _pytest.runner import runtestprotocol
from asc._C import ir
from asc.experimental import asctile
from asc.lib import runtime
from asc.runtime import config, launcher
from asc.runtime.compiler import Compiler
from asc.runtime.config import Backend, KernelType, Platform
from asc.runtime.jit import JITFunction
from asc.runtime.kernel_meta import CompiledKernel, KernelMeta

CHIP = Platform.Ascend910B1
VECTOR = (KernelType.AIV_ONLY, KernelType.MIX_AIV_1_0, KernelType.MIX_AIV_HARD_SYNC)
PACKAGE = Path(asctile.__file__).parents[2]
FFTS = numpy.ones(1, numpy.uint64)  # where a chip keeps cross-core flags: any number but 0 does

OUTCOMES = {
    "equal": "runs in every order, and the result is that of the reference",
    "differs": "runs, and the result is another",
    "race": "a mistake or another result in another order of the pipes",
    "mistake": "jumar stops the run",
    "not compiled": "jumar does not compile the printed text",
    "not printed": "AscTile prints no kernel for A2, or one that needs more UB than A2 has",
    "large": "compiles, and is not run: its tensors are larger than `--most`",
    "cube": "needs cube cores, which jumar does not have",
    "other chip": "is for another chip, as the example says",
    "failed": "the example itself fails, before it launches a kernel",
}
WRONG = ("differs", "race", "mistake", "not compiled")
# The end of a case. `plain`: it is printed without `vf_fusion` and `reuse_alloc`, with which AscTile prints nothing for A2.
End = namedtuple("End", "case outcome told notes plain", defaults=("", (), False))


class Stopped(AssertionError):
    """A launch that ends badly, with its outcome and what was told."""


class Judge:
    """Does the steps of AscTile that need CANN or a device, and notes for pytest how each case ends."""

    def __init__(self, options):
        self.options = options
        self.ends = defaultdict(list)
        self.notes, self.plain, self.end = set(), False, ("failed", "")

    def print(self, printed, function, prereqs):
        options = prereqs.compile_options
        try:
            return printed(function, prereqs)
        except RuntimeError:
            self.plain = getattr(options, "vf_fusion", False) or getattr(options, "reuse_alloc", 0) > 0
            if not self.plain:
                raise
        return printed(function, replace(prereqs, compile_options=replace(options, vf_fusion=False, reuse_alloc=0)))

    def compile(self, compiler, source, arguments=None, **meta):
        kernel = CompiledKernel(source.encode(), KernelMeta(None, arguments, **meta))
        object.__setattr__(kernel, "cube", compiler.options.kernel_type not in VECTOR)
        return kernel

    def launch(self, launched, kernel, name, values, *_):
        if kernel.cube:
            raise Stopped("cube", "")
        try:
            launched.check_memory_overflow(kernel.meta.memory_consumed or {})
        except RuntimeError as error:
            raise Stopped("not printed", str(error)) from None
        path = self.options.out / f"{name}-{hashlib.sha256(kernel.binary).hexdigest()[:8]}.cpp"
        path.write_bytes(kernel.binary)
        self.jumar("not compiled", path, "--check")
        if sum(getattr(value, "nbytes", 0) for value in values) > self.options.most << 20:
            raise Stopped("large", "")
        names, explicit = re.search(rf"\b{re.escape(name)}\((.*?)\)", kernel.binary.decode()).group(1), iter(values)
        values = [FFTS if kind == ir.KernelArgument.FftsAddr else next(explicit) for kind in kernel.meta.kernel_args]
        with tempfile.TemporaryDirectory() as folder:
            self.run(path, zip(re.findall(r"(\w+)(?:,|$)", names), values), launched.options.core_num or 48, Path(folder))

    def run(self, path, values, blocks, folder):
        words, outputs = ["--block-dim", str(blocks)], []
        for name, value in values:
            if getattr(value, "ndim", 0) == 0:
                words += ["--arg", f"{name}={value.item() if hasattr(value, 'item') else value}"]
                continue
            bfloat = str(value.dtype) == "torch.bfloat16"
            array = value.view(sys.modules["torch"].int16).numpy().view(numpy.uint16) if bfloat else numpy.asarray(value)
            numpy.save(folder / f"{name}.npy", array)
            words += ["--arg", f"{name}{':bf16' if bfloat else ''}=@{folder}/{name}.npy"]
            if value is not FFTS:
                words += ["--out", f"{name}=@{folder}/{name}.out.npy"]
                outputs.append((array, folder / f"{name}.out.npy"))
        self.jumar("mistake", path, *words)
        results = [numpy.load(file).reshape(array.shape) for array, file in outputs]
        for seed in range(1, self.options.seeds + 1):
            self.jumar("race", path, *words, "--race", str(seed))
            if any(numpy.load(file).tobytes() != result.tobytes() for result, (_, file) in zip(results, outputs)):
                raise Stopped("race", f"the result of seed {seed} is another than in program order")
        for result, (array, _) in zip(results, outputs):
            array[...] = result

    def jumar(self, outcome, path, *words):
        ended = subprocess.run([self.options.jumar, "cpp", path, *words], capture_output=True, text=True)
        self.notes.update(re.findall(r"^note: (.*?)(?: \(block| at )", ended.stdout + ended.stderr, re.M))
        if ended.returncode == 0:
            return
        told = re.findall(r"^error[^\n]*\n *--> [^\n]*", ended.stderr, re.M) or [ended.stderr.strip()]
        raise Stopped(outcome, re.sub(r"\n *--> ", " --> ", told[0]).replace(f"{self.options.out}/", "")[:2000])

    def pytest_configure(self, config):
        # Fixtures of examples skip what is for the later chip alone; `--every` lets them pass.
        for option, value in (("platform", Platform.Ascend950PR_9599 if self.options.every else CHIP), ("backend", Backend.Model)):
            setattr(config.option, option, value)
            setattr(config.option, f"--{option}", value)

    @pytest.fixture
    def backend(self, request):
        return request.config.option.backend

    @pytest.fixture
    def platform(self, request):
        return request.config.option.platform

    @pytest.fixture
    def device_id(self):
        return None

    def pytest_collectreport(self, report):
        if report.failed:
            self.ends[report.nodeid].append(End("import", "failed", str(report.longrepr).splitlines()[-1]))

    def pytest_runtest_setup(self, item):
        numpy.random.seed(0)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)

    def pytest_runtest_protocol(self, item, nextitem):
        """Each case in a process of its own, which may crash."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            runtestprotocol(item, log=False, nextitem=nextitem)
            os.write(writer, pickle.dumps((*self.end, sorted(self.notes)[:8], self.plain)))
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as told:
            told = told.read()
        _, status = os.waitpid(child, 0)
        end = pickle.loads(told) if told else ("failed", f"the process ended with {os.waitstatus_to_exitcode(status)}")
        self.ends[f"{item.path.stem}::{item.originalname}"].append(End(item.name, *end))
        print(".", end="", flush=True)
        return True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        error = call.excinfo.value if call.excinfo else None
        if isinstance(error, Stopped):
            self.end = error.args
        elif report.skipped:
            self.end = "other chip", ""
        elif isinstance(error, AssertionError):
            self.end = "differs", str(error)[:2000]
        elif error:
            printing = any(PACKAGE in Path(entry.path).parents for entry in call.excinfo.traceback)
            first = re.search(r"error: .*", str(error))
            told = first.group() if first else " ".join(str(error).split())[-300:]
            self.end = "not printed" if printing else "failed", f"{type(error).__name__}: {told}"
        elif call.when == "call":
            self.end = "equal", ""


def table(ends):
    """A line an example; then what was told, one case for each text."""
    width = max(map(len, ends))
    every = [end for cases in ends.values() for end in cases]
    for example, cases in ends.items():
        counts = Counter(end.outcome + " (plain)" * end.plain for end in cases)
        print(f"{example:{width}}  {len(cases):4}  " + ", ".join(f"{outcome} {count}" for outcome, count in counts.items()))
    counts = Counter(end.outcome for end in every)
    print(f"\n{len(ends)} examples, {len(every)} cases")
    for outcome, meaning in OUTCOMES.items():
        if counts[outcome]:
            print(f"{outcome:12} {counts[outcome]:4}  {meaning}")
    alike = defaultdict(list)
    for end in every:
        told = [(end.outcome, end.told)] if end.outcome in (*WRONG, "not printed", "failed") else []
        for kind, text in told + [("noted", note) for note in end.notes]:
            alike[kind, re.sub(r"\S+\.cpp\S*|\d+", "N", text)].append((end, text))
    for (kind, _), found in alike.items():
        more = f" and {len(found) - 1} more" if found[1:] else ""
        print(f"\n{kind}: {found[0][0].case[:80]}{more}", *found[0][1].strip().splitlines()[:6], sep="\n    ")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", nargs="+")
    parser.add_argument("--jumar", type=Path, default=Path("target/debug/jumar"))
    parser.add_argument("--out", type=Path, default=Path("build/asctile"), help="folder of printed kernels")
    parser.add_argument("--seeds", type=int, default=2, help="random orders of each launch")
    parser.add_argument("--most", type=int, default=8, help="MiB of tensors of a launch that is run")
    parser.add_argument("--every", action="store_true", help="print for A2 what the examples hold for the later chip, too")
    options, words = parser.parse_known_args()
    options.out, options.jumar = options.out.resolve(), options.jumar.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    gc.disable()  # the collector crashes on contexts of kernels that were not printed
    sys.modules["asctile"] = asctile  # the name that examples import
    runtime.set_soc_version(CHIP)
    runtime.current_stream = lambda: None
    config.set_platform = asctile.set_platform = lambda *_, **__: None
    judge, printed = Judge(options), JITFunction._compile_kernel
    JITFunction._compile_and_cache = lambda *values: (judge.print(printed, *values), None)
    Compiler.run_compilation = lambda *values, **named: judge.compile(*values, **named)
    launcher.Launcher.run = lambda *values: judge.launch(*values)
    quiet = [word for plugin in ("cacheprovider", "terminal", "unraisableexception") for word in ("-p", f"no:{plugin}")]
    pytest.main([*quiet, "--import-mode=importlib", "--continue-on-collection-errors", *words, *map(str, options.examples)], [judge])
    print(f"\npyasc-dev {version('pyasc-dev')}, for {CHIP.value}\n")
    counts = table(judge.ends) if judge.ends else Counter()
    sys.stdout.flush()
    os._exit(1 if any(counts[outcome] for outcome in WRONG) else 0 if counts["equal"] else 2)


if __name__ == "__main__":
    main()
