import { talk } from './talk.mjs'

talk(() => {
  for (;;);
})
