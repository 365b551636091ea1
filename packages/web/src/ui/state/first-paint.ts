import { useEffect, useState } from 'react'

/** A page that nobody looks at is not painted: then what waits goes on all the same. */
const waitAtMostMs = 2000

let isPainted = false

/** It resolves when something can be seen. */
export const painted = new Promise<void>((resolve) => {
  const settle = (): void => {
    isPainted = true
    resolve()
  }
  const timer = setTimeout(settle, waitAtMostMs)
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    clearTimeout(timer)
    settle()
  })
  observer.observe({ type: 'paint', buffered: true })
})

/** What is not seen at first waits for it, so that what is seen has the connections and the processor for itself. */
export const useIsPainted = (): boolean => {
  const [is, setIs] = useState(isPainted)
  useEffect(() => {
    if (!is) void painted.then(() => setIs(true))
  }, [is])
  return is
}
