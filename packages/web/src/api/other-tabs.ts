import { basePath } from './base.ts'

/** All tabs have one session: whoever signs in in one of them is signed in in the others too. */
const tabs = new BroadcastChannel(`carrel.${basePath}`)
let here: string | undefined
let isOther = false

/** Somebody else is signed in by now: what was done in this tab is not theirs. */
export const isSomebodyElse = (): boolean => isOther

/** It tells the other tabs who is signed in here, once. Who signs out takes nobody out of a book. */
export const tellOtherTabs = (user?: string): void => {
  if (user !== here) tabs.postMessage(user)
  here = user
}

tabs.addEventListener('message', ({ data: user }: MessageEvent<string | undefined>) => {
  if (!here || !user || user === here) return
  isOther = true
  location.reload()
})
