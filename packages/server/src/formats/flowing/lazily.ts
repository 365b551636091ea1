/** An exception inside becomes a rejection. */
export const promised = <Result>(work: () => Result): Promise<Result> => Promise.resolve().then(work)

/** Worked out when it is first asked for. */
export const once = <Result>(work: () => Result): (() => Result) => {
  let cached: { readonly result: Result } | undefined
  return () => (cached ??= { result: work() }).result
}
