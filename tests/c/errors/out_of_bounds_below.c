// check: out-of-bounds
int before[4], table[4];
int main(void) {
  volatile int i = -1;
  before[0] = 1;
  table[i] = 1;
  return 0;
}
