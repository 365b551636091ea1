/** What arrives in one turn of the event loop was sent before it began: all of it is answered by one look. */
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
