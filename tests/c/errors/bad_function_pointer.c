// check: bad-call
int number = 3;
int main(void) {
  int (*function)(void) = (int (*)(void))(void *)&number;
  return function();
}
