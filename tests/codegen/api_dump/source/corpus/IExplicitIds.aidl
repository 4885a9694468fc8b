package corpus;

interface IExplicitIds { void c() = 5; void a() = 3; int b(int x) = 16777114; void z() = 0; void y() = 007; }
