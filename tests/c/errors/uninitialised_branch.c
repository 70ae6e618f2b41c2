// check: uninitialised
int main(int argc, char **argv) {
  int x;
  (void)argv;
  if (argc > 1)
    x = 1;
  if (x)
    return 1;
  return 0;
}
