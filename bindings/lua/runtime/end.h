#endif /* FISHPLATE_LUA_H */
