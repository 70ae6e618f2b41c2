// check: null
struct node {
  int value;
  struct node *next;
};
int main(void) {
  struct node first = {1, 0};
  return first.next->value;
}
