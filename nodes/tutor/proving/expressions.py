"""The reader of each kind of expression."""

from __future__ import annotations

import ast

from nodes.tutor.proving import calling, containers, naming, operations
from nodes.tutor.proving.interpreting import Readers

READERS: Readers = {
    ast.Name: naming.read_name,
    ast.Subscript: containers.read_subscript,
    ast.Attribute: containers.read_attribute,
    ast.Call: calling.read_call,
    ast.Constant: operations.read_constant,
    ast.List: operations.read_sequence,
    ast.Tuple: operations.read_sequence,
    ast.Set: operations.read_sequence,
    ast.Dict: operations.read_dictionary,
    ast.JoinedStr: operations.read_formatted,
    ast.FormattedValue: operations.read_formatted_value,
    ast.BinOp: operations.read_binary,
    ast.Await: operations.read_await,
    ast.Starred: operations.read_await,
    ast.UnaryOp: operations.read_unary,
    ast.BoolOp: operations.read_boolean,
    ast.Compare: operations.read_comparison,
    ast.IfExp: operations.read_choice,
    ast.ListComp: operations.read_comprehension,
    ast.SetComp: operations.read_comprehension,
    ast.GeneratorExp: operations.read_comprehension,
}
"""What is not here is not known."""
