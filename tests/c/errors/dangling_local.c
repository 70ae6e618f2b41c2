// check: dangling
static int *escape(void) {
  int local = 7;
  int *pointer = &local;
  return pointer;
}
int main(void) {
  int *pointer = escape();
  return *pointer;
}
