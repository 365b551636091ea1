export { default as home } from '../../features/home/strings/de.json'
export { default as lists } from '../../lists/strings/de.json'
export { default as common } from '../../ui/strings/de.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/de.json',
    '../../frame/palette/strings/de.json',
    '../../features/**/strings/de.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
