// check: uninitialised
int main(void) {
  int *pointer;
  return *pointer;
}
