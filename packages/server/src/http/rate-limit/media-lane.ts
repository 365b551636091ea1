import type { ServerResponse } from 'node:http'
import { AppError } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { giveBackAfter } from '../reply/left.ts'

/** The bound of what the limiter leaves alone: pictures of the web app (pins W4). */
export interface MediaLane {
  /** Refuses, or counts the request until its reply is over. */
  enter(userId: string, response: ServerResponse): void
}

const inFlightMax = 64
const perSecondMax = 1000
const usersMax = 10_000

interface Traffic {
  inFlight: number
  second: number
  inSecond: number
}

export const mediaLane = (now: () => number = () => performance.now()): MediaLane => {
  const users = new BoundedMap<Traffic>(usersMax)

  return {
    enter: (userId, response) => {
      const traffic = users.get(userId) ?? { inFlight: 0, second: 0, inSecond: 0 }
      users.set(userId, traffic)
      const second = Math.floor(now() / 1000)
      if (second !== traffic.second) Object.assign(traffic, { second, inSecond: 0 })
      if (traffic.inFlight >= inFlightMax || traffic.inSecond >= perSecondMax)
        throw new AppError('unavailable', 'Too many pictures at once. Ask for the rest in a moment.', {
          retryAfterSeconds: 1,
        })
      traffic.inSecond += 1
      traffic.inFlight += 1
      giveBackAfter(response, () => {
        traffic.inFlight -= 1
      })
    },
  }
}
