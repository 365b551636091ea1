import type { Context } from '../../context.ts'
import type { DoorFrame } from '../../http/doors.ts'
import { basicChallenge } from '../../http/error-reply.ts'

export const koreaderFrame = ({ settings }: Pick<Context, 'settings'>): DoorFrame => ({
  name: 'koreader',
  mount: '/koreader/',
  address: () => '/koreader/',
  isOpen: () => settings.get('koreader.enabled'),
  takesBasic: () => true,
  challenge: () => basicChallenge,
  refusal: ({ status, message }) => JSON.stringify({ code: status, message }),
})
