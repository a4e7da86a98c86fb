//! `methods!`: the methods of a Python class, with one line for each getter.

/// Implements the methods of a Python class.
///
/// `get` lists the getters: documentation, name, type and value. One that needs the interpreter has
/// `<'py>(py)` after its name. With `pickle`, pickles of objects hold them as JSON
/// ([`pickle`](crate::pickle::pickle)). Ordinary methods follow. `stubs.py` reads the calls of this
/// macro.
macro_rules! methods {
    (
        impl $class:ident;
        $(pickle($text:ident);)?
        get($self:ident) {
            $($(#[$about:meta])* $name:ident $(<$life:lifetime>($py:ident))?: $kind:ty = $value:expr;)*
        }
        $($method:tt)*
    ) => {
        #[pymethods]
        impl $class {
            $(
                $(#[$about])*
                #[getter]
                pub(crate) fn $name $(<$life>)? (&$self $(, $py: Python<$life>)?) -> $kind {
                    $value
                }
            )*

            $(
                fn __reduce__<'py>(slf: &Bound<'py, $class>) -> PyResult<crate::pickle::Pickle<'py>> {
                    crate::pickle::pickle(slf, slf.get())
                }

                /// The object that a text stores, for pickle.
                #[staticmethod]
                fn _restore($text: &str) -> PyResult<$class> {
                    crate::pickle::restore::<$class, $class>($text)
                }
            )?

            $($method)*
        }
    };
}
