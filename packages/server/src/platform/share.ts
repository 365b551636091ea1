/** While something is under way for a key, whoever wants the same waits for that. */
export const shareInFlight = <Value>() => {
  const running = new Map<string, Promise<Value>>()
  return (key: string, work: () => Promise<Value>): Promise<Value> => {
    const pending = running.get(key)
    if (pending) return pending
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
