import { useCallback, useEffect, useState } from 'react'

/** So near to its upper or lower edge the mouse wants the bars, which are a little higher than that below. */
const edge = { top: 64, bottom: 64, bottomBar: 96 }

const fadeAfterMs = 2000

/**
 * Bars around text fade when nothing has moved for a while, unless the mouse is at an edge or something is open beside
 * the text. Fingers do not move as a mouse does: for them the bars stay until the page is turned.
 */
export const useFadingChrome = (isBusy: boolean): Chrome => {
  const chrome = useChrome()
  const { isAsked, isNear, hide } = chrome
  useEffect(() => {
    if (!isAsked || isNear || isBusy || !window.matchMedia('(hover: hover)').matches) return undefined
    const stop = new AbortController()
    let timer = setTimeout(hide, fadeAfterMs)
    const wait = (): void => {
      clearTimeout(timer)
      timer = setTimeout(hide, fadeAfterMs)
    }
    for (const sign of ['pointermove', 'keydown', 'wheel'])
      window.addEventListener(sign, wait, { signal: stop.signal, passive: true })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [isAsked, isNear, isBusy, hide])
  return { ...chrome, isShown: chrome.isShown || isBusy }
}

export type Chrome = ReturnType<typeof useChrome>

/**
 * The bars: shown when a book is opened and when they are asked for, and for as long as the mouse is at an edge. What
 * has the focus in them shows them too, which the style sheet says.
 */
export const useChrome = () => {
  const [isAsked, setAsked] = useState(true)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const move = ({ pointerType, clientY }: PointerEvent): void => {
      if (pointerType !== 'mouse') return
      setNear((before) => {
        const bottom = before ? edge.bottomBar : edge.bottom
        return clientY < edge.top || clientY > window.innerHeight - bottom
      })
    }
    window.addEventListener('pointermove', move, { signal, passive: true })
    document.documentElement.addEventListener('pointerleave', () => setNear(false), { signal })
    return () => stop.abort()
  }, [])
  return {
    /** They are there until one reads on: pages are shown beside them and not below them. */
    isAsked,
    isNear,
    isShown: isAsked || isNear,
    show: useCallback((): void => setAsked(true), []),
    hide: useCallback((): void => setAsked(false), []),
    toggle: (): void => setAsked(!isAsked),
  }
}
