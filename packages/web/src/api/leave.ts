import { forgetPages } from './early-requests.ts'
import { queryClient } from './queries.ts'

/** It removes all data of the user who was signed in. */
export const leave = (): void => {
  void import('./event-stream.ts').then(({ stopFollowing }) => stopFollowing()).catch(() => undefined)
  queryClient.clear()
  forgetPages()
}
