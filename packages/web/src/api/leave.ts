import { stopFollowing } from './event-stream.ts'
import { queryClient } from './queries.ts'

/** Nothing of whoever was signed in stays behind. */
export const leave = (): void => {
  stopFollowing()
  queryClient.clear()
}
