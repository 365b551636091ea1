/** An exception inside becomes a rejection. */
export const promised = <Result>(work: () => Result): Promise<Result> => Promise.resolve().then(work)

/** Worked out when it is first asked for. */
export const once = <Result>(work: () => Result): (() => Result) => {
  let known: { readonly result: Result } | undefined
  return () => (known ??= { result: work() }).result
}
