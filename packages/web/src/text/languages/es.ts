export { default as home } from '../../features/home/strings/es.json'
export { default as lists } from '../../lists/strings/es.json'
export { default as common } from '../../ui/strings/es.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/es.json',
    '../../frame/palette/strings/es.json',
    '../../features/**/strings/es.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
