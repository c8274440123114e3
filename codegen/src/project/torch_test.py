"""Tests of `@package@.@kernel@`: shapes on the meta device, and where there is an NPU values.

A file `reference.py` beside this one may define `@kernel@` for tensors of float64; what the NPU gives is then compared with it. Without it the
results of shorter element types are compared with those of float32.
"""
import importlib.util
import unittest
from pathlib import Path

import torch

import @package@

# Element types and shapes of what is given, attributes, element types and shapes of what is made.
@note@CASES = [
@cases@]
# How many rows in succession differ in element types alone, the longest last.
INSTANCES = @instances@
GIVEN = [@given@]
LISTS = frozenset([@lists@])
WRITTEN = frozenset([@written@])
# Elements that name places: 0 is one.
INDICES = frozenset([@indices@])
TOLERANCE = {torch.float16: 2e-2, torch.bfloat16: 1e-1, torch.float32: 1e-4}


def has_npu():
    return @package@.torch_npu is not None and torch.npu.is_available()


def reference():
    path = Path(__file__).with_name("reference.py")
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.@kernel@


def elements(name, dtype, shape):
    if name in INDICES or name in WRITTEN:
        return torch.zeros(shape, dtype=dtype)
    if dtype.is_floating_point:
        # Numbers that the shortest type has, so that all types see the same.
        return (torch.randint(8, 25, shape) / 16).to(dtype)
    return torch.randint(0, 2, shape).to(dtype)


def arguments(given, make):
    tensors = {name: make(name, *given[name]) for name in GIVEN}
    return {name: [tensor] if name in LISTS else tensor for name, tensor in tensors.items()}


def call(tensors, attributes):
    result = @package@.@kernel@(**tensors, **attributes)
    made = () if result is None else result if isinstance(result, tuple) else (result,)
    return [tensor[0] if isinstance(tensor, list) else tensor for tensor in made]


def on_npu(given, attributes):
    """What is made, then what is written, on the CPU."""
    torch.manual_seed(0)
    tensors = arguments(given, lambda name, dtype, shape: elements(name, dtype, shape).npu())
    made = call(tensors, attributes)
    written = [tensors[name][0] if name in LISTS else tensors[name] for name in GIVEN if name in WRITTEN]
    return [tensor.cpu() for tensor in made + written]


class Shapes(unittest.TestCase):
    def test_the_case_list_is_not_empty(self):
        self.assertTrue(CASES, "no launch was found when this test was written: add one")

    def test_outputs_have_their_shapes_and_types(self):
        for given, attributes, wanted in CASES:
            with self.subTest(given=given):
                made = call(arguments(given, lambda _, dtype, shape: torch.empty(shape, dtype=dtype, device="meta")), attributes)
                self.assertEqual([(tensor.dtype, tuple(tensor.shape)) for tensor in made], wanted)

    def test_element_types_that_the_kernel_lacks_are_refused(self):
        for given, attributes, _ in CASES[:1]:
            wrong = {name: (torch.float64, shape) for name, (_, shape) in given.items()}
            with self.assertRaisesRegex(RuntimeError, "element types"):
                call(arguments(wrong, lambda _, dtype, shape: torch.empty(shape, dtype=dtype, device="meta")), attributes)


@unittest.skipUnless(has_npu(), "torch_npu and an NPU are needed for values")
class Values(unittest.TestCase):
    def test_results_are_those_of_the_reference(self):
        wanted = reference()
        if wanted is None:
            self.skipTest("there is no reference.py beside this test")
        for given, attributes, _ in CASES:
            with self.subTest(given=given):
                torch.manual_seed(0)
                exact = lambda t: t.double() if t.is_floating_point() else t
                tensors = arguments(given, lambda name, dtype, shape: exact(elements(name, dtype, shape)))
                result = wanted(**tensors, **attributes)
                result = result if isinstance(result, tuple) else (result,)
                for own, other in zip(on_npu(given, attributes), result):
                    tolerance = TOLERANCE.get(own.dtype, 0)
                    torch.testing.assert_close(own.to(other.dtype), other, rtol=tolerance, atol=tolerance)

    def test_element_types_agree_with_one_another(self):
        for first in range(0, len(CASES), INSTANCES):
            results = [on_npu(given, attributes) for given, attributes, _ in CASES[first:first + INSTANCES]]
            for own in results[:-1]:
                for mine, longest in zip(own, results[-1]):
                    tolerance = TOLERANCE.get(mine.dtype, 0)
                    torch.testing.assert_close(mine.to(longest.dtype), longest, rtol=tolerance, atol=tolerance)

    def test_views_are_taken(self):
        for given, attributes, _ in CASES:
            with self.subTest(given=given):
                def view(name, dtype, shape):
                    whole = elements(name, dtype, shape).npu()
                    if name in WRITTEN or not shape:
                        return whole
                    # Every second element of something longer.
                    return torch.stack([whole, whole], dim=-1).select(-1, 0)

                torch.manual_seed(0)
                made = [tensor.cpu() for tensor in call(arguments(given, view), attributes)]
                for own, other in zip(made, on_npu(given, attributes)):
                    tolerance = TOLERANCE.get(own.dtype, 0)
                    torch.testing.assert_close(own, other, rtol=tolerance, atol=tolerance)


if __name__ == "__main__":
    unittest.main()
