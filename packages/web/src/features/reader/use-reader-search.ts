import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { word, wholeNumber } from '../../navigation/search-params.ts'

/**
 * Besides the book, the address holds the page, the read list it was opened from, and where pages pair up otherwise.
 */
export interface ReaderSearch {
  readonly page: number | undefined
  readonly readList: string | undefined
  readonly shift: ReadonlySet<number>
}

export const useReaderSearch = (): ReaderSearch => {
  const said: Record<string, unknown> = useSearch({ strict: false })
  return {
    page: wholeNumber(said.page, 1, 100_000),
    readList: word(said.readList),
    shift: shiftsFrom(word(said.shift) ?? ''),
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
export const useAddress = (page: number, shift: ReadonlySet<number>, onAsked: (page: number) => void): void => {
  const router = useRouter()
  const { page: asked } = useReaderSearch()
  const written = useRef(asked)
  const [path] = useState(() => router.state.location.pathname)
  const shifts = [...shift].join('.')
  const ask = useRef(onAsked)
  useEffect(() => {
    ask.current = onAsked
  })
  // Somebody has changed the address: by hand, or by going back.
  useEffect(() => {
    if (asked === undefined || asked === written.current) return
    written.current = asked
    ask.current(asked)
  }, [asked])
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
