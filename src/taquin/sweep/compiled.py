"""The one place where Numba's untyped decorators meet typed code.

A kernel is an ordinary function on arrays.  It releases the interpreter lock, is compiled once
a machine (the result is cached beside the source) and takes part of the work of a level, so that
threads come from a pool and work can be stopped, watched and shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np import arrayobj

from taquin.jit import kernel

_array: Any = arrayobj.make_array
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, *, beside: Sequence[str] = ()) -> Function:
    """Compile `function` on its first call; keep its type for the checker.

    Numba's cache does not notice a change in a callee of another file: a kernel and what it calls
    belong in one file, or that file is named in `beside` (the intrinsics below are the exception;
    they do not change).
    """
    return kernel(function, beside=beside, error_model="numpy")


def _popcount(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _lowest(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


def _claim(typing: Any, counter: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = _array(signature.args[0])(context, builder, arguments[0])
        one = ir.Constant(ir.IntType(64), 1)
        return builder.atomic_rmw("add", array.data, one, "monotonic")

    return types.int64(counter), generate


def _prefetch(typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag]), name
        )
        builder.call(function, [address, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _pext(typing: Any, word: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word64 = ir.IntType(64)
        if not has_pext():  # never called there: see `has_pext`
            return ir.Constant(word64, 0)
        name = "llvm.x86.bmi.pext.64"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(word64, [word64, word64]), name
        )
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@cache
def has_pext() -> bool:
    """Whether the processor extracts bits by a mask in one quick step.

    Processors of the x86-64 family with BMI2 do; the first two Zen generations take it apart bit
    by bit.
    """
    name = str(llvm.get_host_cpu_name())
    features = llvm.get_host_cpu_features()
    return bool(features.get("bmi2", False)) and name not in ("znver1", "znver2")


#: Number of set bits of a uint64.
popcount: Any = intrinsic(_popcount)
#: Index of the lowest set bit of a uint64 (64 for zero).
lowest: Any = intrinsic(_lowest)
#: Take the next number from a one-element int64 array shared by threads (atomic).
claim: Any = intrinsic(_claim)
#: Ask the cache for the line of element `index` of an array in memory order.
prefetch: Any = intrinsic(_prefetch)
#: The bits of a word at the places of a mask, moved together.
pext: Any = intrinsic(_pext)
