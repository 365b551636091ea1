import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { word } from '../../../navigation/search-params.ts'

const partOf = (value: unknown): number | undefined => {
  const text = word(value)
  const number = Number(text ?? Number.NaN)
  return number >= 0 && number <= 1 ? number : undefined
}

/** It is the position in the book to which the address leads, 0 to 1. */
export const useRequestedPosition = (): number | undefined => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return partOf(search['at'])
}

export const useReadList = (): string | undefined => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return word(search['readList'])
}

const writtenAfterMs = 300

/** It keeps the address saying where one is, without a step in the history for every page. */
export const useEbookAddress = (at: string, onAddressChange: (at: number) => void): void => {
  const router = useRouter()
  const requested = useRequestedPosition()
  // An address we have written comes back to us, sometimes after we have written another one.
  const written = useRef(new Set(requested === undefined ? [] : [requested]))
  const [first] = useState(at)
  const [path] = useState(() => router.state.location.pathname)
  const ask = useRef(onAddressChange)
  useEffect(() => {
    ask.current = onAddressChange
  })
  // Somebody has changed the address: by hand, or by going back.
  useEffect(() => {
    if (requested === undefined || written.current.has(requested)) return
    written.current.add(requested)
    ask.current(requested)
  }, [requested])
  useEffect(() => {
    if (at === first && written.current.size === 0) return undefined
    const timer = setInterval(() => {
      // The address is not written while the router is on the way to another book: that would cancel the navigation, or
      // write to the wrong address.
      if (router.state.status === 'pending') return
      clearInterval(timer)
      if (router.state.location.pathname !== path) return
      written.current.add(Number(at))
      const search = (before: Record<string, unknown>) => ({ ...before, at })
      void router.navigate({ to: '.', search, replace: true, resetScroll: false })
    }, writtenAfterMs)
    return () => clearInterval(timer)
  }, [router, path, at, first])
}
