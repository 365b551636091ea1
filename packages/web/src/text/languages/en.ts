export { default as home } from '../../features/home/strings/en.json'
export { default as lists } from '../../lists/strings/en.json'
export { default as common } from '../../ui/strings/en.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/en.json',
    '../../frame/palette/strings/en.json',
    '../../features/**/strings/en.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
