import { type Endpoint, endpointsIn } from '../endpoint.ts'
import * as doors from './index.ts'

/** These belong to other applications' protocols. */
export const doorEndpoints: readonly Endpoint[] = [
  ...endpointsIn(doors),
  ...Object.values(doors.opdsShelves).flatMap((shelf): readonly Endpoint[] => [shelf.one, shelf.two]),
]
