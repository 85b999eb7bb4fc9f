# SPDX-License-Identifier: GPL-3.0-or-later
"""A routing rule as a function of Python."""
import ctypes
import hashlib
import inspect

from ._library import RULE_CALL, CallValue, GivenRule, library

NONE = 2**32 - 1
DEPENDS = ("switch", "destination", "source", "tag")
NOTHING, NUMBER, TRUTH, TEXT, LIST, OTHER = range(6)


class Net:
    """The network as a rule sees it: the numbers and methods of "net" in Lua (docs/lua.md), as net.n_switch and net.coord(at).

    net.memo is a dictionary for what the rule wants to keep; it is empty for each fault set. net.failed_channels and
    net.failed_switches are lists.
    """

    def __init__(self, handle):
        self._handle = handle
        self.memo = {}

    def _call(self, name, values=()):
        arguments = (CallValue * max(len(values), 1))()
        for place, value in enumerate(values):
            if isinstance(value, int):
                arguments[place].kind, arguments[place].number = NUMBER, value
            else:
                kind = TEXT if isinstance(value, str) else OTHER
                arguments[place].kind, arguments[place].text = kind, (value if kind == TEXT else repr(value)).encode()
        result = CallValue()
        wrong = library.hf_rule_call_net(self._handle, name.encode(), arguments, len(values), ctypes.byref(result))
        if wrong:
            raise ValueError(wrong.decode())
        if result.kind == LIST:
            return [result.list[i] for i in range(result.n)]
        return {NUMBER: result.number, TRUTH: bool(result.number), TEXT: result.text and result.text.decode()}.get(result.kind)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name.startswith("n_"):
            return self._call(name)
        return lambda *values: self._call(name, values)

    @property
    def failed_channels(self):
        return [channel for channel in range(self.n_channel) if self.failed(channel)]

    @property
    def failed_switches(self):
        return [switch for switch in range(self.n_switch) if self.switch_failed(switch)]


def _count_positional(function):
    """How many arguments it takes; all where it says *args."""
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return NONE
    return sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)


def _identity(functions):
    """A hash of what the functions are made of."""
    text = b""
    for function in functions:
        if function:
            try:
                text += inspect.getsource(function).encode()
            except (OSError, TypeError):
                text += getattr(getattr(function, "__code__", None), "co_code", repr(function).encode())
    return hashlib.sha256(text).hexdigest()[:16]


class Rule:
    """What rule() makes: to be given as `routing`."""

    def __init__(self, route, vcs, tags, depends, commits, accepts, inject):
        unknown = [word for word in depends if word not in DEPENDS]
        if unknown:
            raise ValueError("depends: %r is not known; need some of %s" % (unknown[0], ", ".join(DEPENDS)))
        self.route, self.accepts, self.inject = route, accepts, inject
        self.name = "%s#%s" % (getattr(route, "__name__", "rule"), _identity((route, accepts, inject)))
        self.exception = None  #: the last one that a function of the rule raised
        self._nets = {}
        self._takes = _count_positional(route)
        self._callback = RULE_CALL(self._call)
        self.given = GivenRule(
            name=self.name.encode(),
            vcs=vcs,
            tags=tags,
            depends=sum(1 << DEPENDS.index(word) for word in set(depends)),
            commits=commits,
            has_accepts=accepts is not None,
            has_inject=inject is not None,
            call=self._callback,
        )

    def __str__(self):
        return "given:" + self.name

    def _call(self, _, call, function, arguments, n):
        try:
            self._answer(call, function, [arguments[i] if arguments[i] != NONE else None for i in range(n)])
        except BaseException as raised:  # nothing may pass through C
            self.exception = raised
            library.hf_rule_call_fail(call, ("%s: %s" % (type(raised).__name__, raised)).encode())

    def _answer(self, call, function, arguments):
        if function == b"begin":
            self._nets[call] = Net(call)
        elif function == b"end":
            del self._nets[call]
        elif function == b"accepts":
            answer = self.accepts(self._nets[call])
            if answer is not True:
                library.hf_rule_call_refuse(call, str(answer or "it does not say why").encode())
        elif function == b"inject":
            self._hops(call, self.inject(self._nets[call], *arguments))
        else:
            self._hops(call, self.route(self._nets[call], *arguments[: self._takes - 1]))

    @staticmethod
    def _hops(call, hops):
        if hops is None:
            return
        library.hf_rule_call_no_hop(call)
        for hop in hops:
            if isinstance(hop, int):
                hop = {"channel": hop}
            elif isinstance(hop, tuple):
                hop = dict(zip(("channel", "vc", "tag", "escape"), hop))
            channel, vc, tag = hop["channel"], hop.get("vc", 0), hop.get("tag")
            for what, value in (("channel", channel), ("vc", vc), ("tag", 0 if tag is None else tag)):
                if not isinstance(value, int) or not 0 <= value < NONE:
                    raise ValueError("%s of a hop is %r; need a whole number" % (what, value))
            library.hf_rule_call_hop(call, channel, vc, NONE if tag is None else tag, bool(hop.get("escape", False)))


def rule(route, *, vcs=1, tags=1, depends=(), commits=False, accepts=None, inject=None):
    """Make a routing rule of a function, to be given as `routing`. It is slow, and meant for trying out; see docs/python.md.

    route(net, at, in_channel, in_vc, destination): the hops that a packet may take at a switch, a list of channels, of tuples
        (channel, vc, tag, escape) cut short anywhere, or of dictionaries with these names; None where holdfast delivers it. It may
        take tag and source, too. It must always give the same answer to the same question
    vcs, tags: virtual channels, 1 to 64; values of the tag in a packet's header
    depends, commits: as in Lua, docs/lua.md
    accepts(net): True, or why the rule does not take the network
    inject(net, terminal, destination): hops out of the terminal; without it every channel there, VC 0
    """
    return Rule(route, vcs, tags, (depends,) if isinstance(depends, str) else tuple(depends), commits, accepts, inject)
