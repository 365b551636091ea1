process.stderr.write('cannot find my own feet\n')
process.exit(3)
