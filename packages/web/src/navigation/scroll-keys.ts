import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

let isLoading = false

/**
 * How far each page was scrolled is kept under this key. While one is loaded its skeleton stands where the page before
 * stood, and is shorter: what it is scrolled to goes under a key of its own, or whoever goes back would be at the top.
 */
// oxlint-disable-next-line no-underscore-dangle -- The router calls it so.
export const scrollKey = ({ state, href }: ParsedLocation): string => (isLoading ? '' : (state.__TSR_key ?? href))

export const watchLoading = (router: AnyRouter): void => {
  router.subscribe('onBeforeLoad', () => {
    isLoading = true
  })
  router.subscribe('onResolved', () => {
    isLoading = false
  })
}
