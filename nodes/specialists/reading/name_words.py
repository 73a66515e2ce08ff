"""Words that are no names of files or definitions, although they may be called so somewhere."""

from __future__ import annotations

NO_NAMES = frozenset(
    "a about above all also among an and any are as at bad be been best between big bigger biggest both build but by "
    "called calls can change changed changes check class classes clean clones code comment comments common commits "
    "complex complexity copy core count cycle cycles data deep deepest definition definitions depends depth did do "
    "docs docstring docstrings documentation documented does duplicate duplicates each else every everything explain "
    "few fewer file files find findings first five folder for four from function functions give has have here high "
    "highest history hotspots how i if import imports in is issues it its key large largest least length less level "
    "license licence line lines list load locals long longer longest look lot main many me measure method methods "
    "missing module modules more most much my name named names needs nested no none not number of on one only or order "
    "other our out over own package parameters parts path per problem problems project public quality ranked read "
    "readme reflect returns return take takes accept accepts contain contains exceed exceeds report repository risk risks run safe same score security see set short shortest should show simple size "
    "small smallest some state suppressed ten test tests than that the their them there these they this those three "
    "time to too top total tree two under undocumented unsafe up us use used user value very was we well were what "
    "when where which who why with without words work worst you your whole entire class-level top-level it's eval "
    "exec pickle md5 sha1 sql random password passwords secrets shell".split()
)
SOFTWARE = frozenset(
    "node.js vue.js next.js javascript typescript github gitlab readme asp.net e.g i.e todo pypi pytest graphql "
    "postgresql mysql sqlite mongodb macos ios openssl yaml.load os.system mark_safe fan_in fan_out subprocess.run "
    "subprocess.popen subprocess.call pickle.load pickle.loads hashlib.md5 hashlib.sha1 random.random requests.get "
    "shell_true verify_false __init__ __main__".split()
)
