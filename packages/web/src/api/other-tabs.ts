import { readMe } from '@carrel/api'
import { basePath } from './base.ts'
import { query, queryClient } from './queries.ts'

/** All tabs have one session: whoever signs in in one of them is signed in in the others too. */
const tabs = new BroadcastChannel(`carrel.user ${basePath}`)
let told: string | undefined
let isOther = false

export const userHere = (): string | undefined => queryClient.getQueryData(query(readMe, {}).queryKey)?.body.id

/** Somebody else is signed in by now: what was done in this tab is not theirs. */
export const isSomebodyElse = (): boolean => isOther

/** It tells the other tabs who is signed in here, once. */
export const tellOtherTabs = (user: string | undefined): void => {
  if (user !== told) tabs.postMessage(user)
  told = user
}

/** Nobody is taken out of a book because the session has ended. */
const isReading = (): boolean => location.pathname.startsWith(`${basePath}/read/`)

tabs.addEventListener('message', ({ data: user }: MessageEvent<string | undefined>) => {
  const here = userHere()
  if (here === undefined || user === here || (user === undefined && isReading())) return
  isOther = user !== undefined
  location.reload()
})
