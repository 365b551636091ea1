import { STATUS_CODES } from 'node:http'
import type { Context } from '../../context.ts'
import type { DoorFrame } from '../../http/doors.ts'
import { basicChallenge } from '../../http/reply/error-reply.ts'
import { compatMount } from '../../http/route-pattern.ts'
import { compatCredential } from './sign-in/credentials.ts'

export const compatFrame = ({ settings, clock }: Pick<Context, 'settings' | 'clock'>): DoorFrame => ({
  name: 'compat',
  mount: compatMount,
  address: () => `/${settings.get('compat.prefix')}/`,
  isOpen: () => settings.get('compat.enabled'),
  takesBasic: () => true,
  credentialOf: compatCredential,
  // The web apps made for Komga show a sign-in of their own; a browser must not show its window before them.
  challenge: ({ headers }) => (headers['x-requested-with'] === 'XMLHttpRequest' ? undefined : basicChallenge),
  refusal: ({ error: { status }, sentence }, { originalUrl }) =>
    JSON.stringify({
      timestamp: clock().toISOString(),
      status,
      error: STATUS_CODES[status],
      message: sentence,
      path: originalUrl.split('?')[0],
    }),
})
