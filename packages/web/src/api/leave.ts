import { forgetPages } from './early-requests.ts'
import { stopFollowing } from './event-stream.ts'
import { queryClient } from './queries.ts'

/** It removes all data of the user who was signed in. */
export const leave = (): void => {
  stopFollowing()
  queryClient.clear()
  forgetPages()
}
