// check: endless
int main(void) {
  for (;;)
    ;
}
