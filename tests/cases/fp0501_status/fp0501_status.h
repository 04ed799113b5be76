int f(int x);
