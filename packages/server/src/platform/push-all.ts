/** It appends any number of items: spread into `push`, some hundred thousand are more arguments than the stack has room for. */
export const pushAll = <Item>(items: Item[], added: Iterable<Item>): void => {
  for (const item of added) items.push(item)
}
