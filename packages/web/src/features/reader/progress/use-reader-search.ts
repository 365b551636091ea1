import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { word, wholeNumber } from '../../../navigation/search-params.ts'

/**
 * Besides the book, the address holds the page, the read list it was opened from, and where pages pair up otherwise.
 */
export interface ReaderSearch {
  readonly page: number | undefined
  readonly readList: string | undefined
  readonly shift: ReadonlySet<number>
}

export const useReaderSearch = (): ReaderSearch => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return {
    page: wholeNumber(search.page, 1, 100_000),
    readList: word(search.readList),
    shift: shiftsFrom(word(search.shift) ?? ''),
  }
}

const shiftsMax = 50

const shiftsFrom = (text: string): ReadonlySet<number> =>
  new Set(
    text
      .split('.')
      .slice(0, shiftsMax)
      .flatMap((each) => wholeNumber(each, 1, 100_000) ?? []),
  )

const writtenAfterMs = 300

/** It keeps the address saying where one is, without a step in the history for every page. */
export const useAddress = (page: number, shift: ReadonlySet<number>, onAddressChange: (page: number) => void): void => {
  const router = useRouter()
  const { page: requested } = useReaderSearch()
  const written = useRef(requested)
  const [path] = useState(() => router.state.location.pathname)
  const shifts = [...shift].join('.')
  const ask = useRef(onAddressChange)
  useEffect(() => {
    ask.current = onAddressChange
  })
  // Somebody has changed the address: by hand, or by going back.
  useEffect(() => {
    if (requested === undefined || requested === written.current) return
    written.current = requested
    ask.current(requested)
  }, [requested])
  const write = useCallback(() => {
    written.current = page
    void router.navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        page: String(page),
        shift: shifts === '' ? undefined : shifts,
      }),
      replace: true,
      resetScroll: false,
    })
  }, [router, page, shifts])
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return undefined
    }
    const timer = setInterval(() => {
      // The address is not written while the router is on the way to another book: that would cancel the navigation, or
      // write to the wrong address.
      if (router.state.status === 'pending') return
      clearInterval(timer)
      if (router.state.location.pathname === path) write()
    }, writtenAfterMs)
    return () => clearInterval(timer)
  }, [router, path, write])
}
