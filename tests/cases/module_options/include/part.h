#ifndef SWITCH
#error "a macro of the interface is not defined"
#endif

int macros(int x);
