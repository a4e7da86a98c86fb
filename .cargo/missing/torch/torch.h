// The compiler finds this file only if libtorch has no header of this name.
#error "the feature `torch` needs libtorch: run `make torch` in the project's root, or set LIBTORCH to the folder of your own"
