struct Error { int code; }; int risky(int);
int guarded(int x) { try { return risky(x); } catch (Error &e) { return e.code; } }
