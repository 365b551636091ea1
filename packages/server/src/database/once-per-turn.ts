/** Requests that arrive in one turn of the event loop were sent before it began: one look answers all of them. */
export const oncePerTurn = <Seen>(look: () => Seen) => {
  let last: { readonly seen: Seen } | undefined
  const forget = (): void => {
    last = undefined
  }
  return {
    forget,
    read: (): Seen => {
      if (!last) setImmediate(forget)
      last ??= { seen: look() }
      return last.seen
    },
  }
}
