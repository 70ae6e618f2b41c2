// check: division
int divisor;
int main(void) {
  return 10 / divisor;
}
