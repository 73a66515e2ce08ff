"""Wall two: where a tool runs. `probe` finds the level; `command` builds the confined command line.

bwrap     own namespaces: nothing of the machine but programs and the root is there. Any program may be run.
landlock  the kernel refuses every file outside, a seccomp filter what Landlock does not know of.
policy    the checked command as it is, with limits; where libseccomp is there, under the filter too.

What bounds the number of processes: a filter that denies starting any to tools that never do, at each level;
for git, and for everything in a writable root, RLIMIT_NPROC inside the user namespace of bwrap, beside the
user's other tasks at landlock. It does not bind root at any level: there, memory of each process and the
clock hold, and all of them die together.
"""
