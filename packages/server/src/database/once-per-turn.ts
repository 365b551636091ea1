/** Requests that arrive in one turn of the event loop were sent before it began: one read answers all of them. */
export const oncePerTurn = <Seen>(read: () => Seen) => {
  let last: { readonly seen: Seen } | undefined
  const forget = (): void => {
    last = undefined
  }
  return {
    forget,
    read: (): Seen => {
      if (!last) setImmediate(forget)
      last ??= { seen: read() }
      return last.seen
    },
  }
}
