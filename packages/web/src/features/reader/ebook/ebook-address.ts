import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { word } from '../../../navigation/search-params.ts'

const partOf = (said: unknown): number | undefined => {
  const text = word(said)
  const number = Number(text ?? Number.NaN)
  return number >= 0 && number <= 1 ? number : undefined
}

/** It is the position in the book to which the address leads, 0 to 1. */
export const useAskedPlace = (): number | undefined => {
  const said: Record<string, unknown> = useSearch({ strict: false })
  return partOf(said['at'])
}

export const useReadList = (): string | undefined => {
  const said: Record<string, unknown> = useSearch({ strict: false })
  return word(said['readList'])
}

const writtenAfterMs = 300

/** It keeps the address saying where one is, without a step in the history for every page. */
export const useEbookAddress = (at: string, onAsked: (at: number) => void): void => {
  const router = useRouter()
  const asked = useAskedPlace()
  // An address we have written comes back to us, sometimes after we have written another one.
  const written = useRef(new Set(asked === undefined ? [] : [asked]))
  const [first] = useState(at)
  const [path] = useState(() => router.state.location.pathname)
  const ask = useRef(onAsked)
  useEffect(() => {
    ask.current = onAsked
  })
  // Somebody has changed the address: by hand, or by going back.
  useEffect(() => {
    if (asked === undefined || written.current.has(asked)) return
    written.current.add(asked)
    ask.current(asked)
  }, [asked])
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
