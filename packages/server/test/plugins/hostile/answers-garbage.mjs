import { say, talk } from './talk.mjs'

talk(() => say('<html>502 Bad Gateway</html>'))
