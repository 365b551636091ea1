export { default as home } from '../../features/home/strings/fr.json'
export { default as lists } from '../../lists/strings/fr.json'
export { default as common } from '../../ui/strings/fr.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/fr.json',
    '../../frame/palette/strings/fr.json',
    '../../features/**/strings/fr.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
